"""From a text to the entities that it names; pure, without the database and without a model."""
