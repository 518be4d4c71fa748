"""The settings of the graph."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """The graph of entities, and the walk over it at a session's start."""

    enabled: bool = setting(
        True,
        "memory.pipelineV2.graph.enabled",
        label="Find the entities that memories name",
        help="Entities are people, projects, tools and the like. A session about one is told "
        "first what is always told about it.",
        group=SettingGroup.TOLD,
        words="graph people entity",
    )
    walk: bool = setting(
        True,
        "memory.pipelineV2.traversal.enabled",
        label="Tell what is known about related entities",
        help="At a session's start, links are followed from the entities that the session is "
        "about.",
        group=SettingGroup.TOLD,
        words="graph traversal walk",
    )
    max_aspects: int = setting(
        10,
        "memory.pipelineV2.traversal.maxAspectsPerEntity",
        label="Aspects visited per entity",
        help="The weightiest come first.",
        group=SettingGroup.ADVANCED,
        unit="aspects",
        bounds=(1, 100),
        other_keys=("memory.pipelineV2.maxAspectsPerEntity",),
        words="graph walk traversal",
    )
    max_attributes: int = setting(
        20,
        "memory.pipelineV2.traversal.maxAttributesPerAspect",
        label="Statements visited per aspect",
        help="The most important come first.",
        group=SettingGroup.ADVANCED,
        unit="statements",
        bounds=(1, 500),
        other_keys=("memory.pipelineV2.maxAttributesPerAspect",),
        words="graph walk traversal",
    )
    max_hops: int = setting(
        30,
        "memory.pipelineV2.traversal.maxDependencyHops",
        label="Related entities visited",
        help="Those that are one dependency away, strongest first.",
        group=SettingGroup.ADVANCED,
        unit="entities",
        bounds=(0, 1_000),
        other_keys=("memory.pipelineV2.maxDependencyHops",),
        words="graph walk traversal dependencies",
    )
    min_strength: float = setting(
        0.3,
        "memory.pipelineV2.traversal.minDependencyStrength",
        label="Weakest dependency to follow",
        help="0 follows every dependency between entities, 1 only certain ones.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        other_keys=("memory.pipelineV2.minDependencyStrength",),
        words="graph walk traversal",
    )
    timeout_ms: int = setting(
        500,
        "memory.pipelineV2.traversal.timeoutMs",
        label="Time limit for following links",
        help="Whatever was found by then is told. What is always told is read first and never "
        "left out.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(10, 10_000),
        words="traversal",
    )
    resolve_by_embedding: bool = setting(
        False,
        "memory.pipelineV2.graph.useEmbeddingResolution",
        label="Merge entities with similar names",
        help="Compares the names of new entities by meaning: very similar ones are merged, and "
        "the inbox asks about others.",
        group=SettingGroup.ADVANCED,
        other_keys=("memory.pipelineV2.useEmbeddingResolution",),
        words="duplicates resolution",
    )
    same_similarity: float = setting(
        0.85,
        "memory.pipelineV2.graph.entitySimilarityThreshold",
        label="Similarity at which entities are merged",
        help="Cosine similarity of their names.",
        group=SettingGroup.ADVANCED,
        bounds=(0.5, 1),
        other_keys=("memory.pipelineV2.entitySimilarityThreshold",),
    )
    ask_similarity: float = setting(
        0.7,
        "memory.pipelineV2.graph.entityAmbiguousThreshold",
        label="Similarity at which the inbox asks",
        help="Cosine similarity of two entities' names at which you are asked whether they are "
        "the same.",
        group=SettingGroup.ADVANCED,
        bounds=(0.3, 1),
        other_keys=("memory.pipelineV2.entityAmbiguousThreshold",),
    )
    by_model: bool = setting(
        True,
        "memory.pipelineV2.structural.enabled",
        label="Sort facts with the language model",
        help="If a model is configured, it sorts what the words of a fact don't tell, and reads "
        "dependencies between entities.",
        group=SettingGroup.MODELS,
        words="graph aspects dependencies structural",
    )
    facts_per_call: int = setting(
        8,
        "memory.pipelineV2.structural.classifyBatchSize",
        label="Facts sorted per call",
        help="Small models leave out facts if there are more than ten.",
        group=SettingGroup.ADVANCED,
        unit="facts",
        bounds=(1, 10),
        words="structural model",
    )
    texts_per_call: int = setting(
        5,
        "memory.pipelineV2.structural.dependencyBatchSize",
        label="Facts read for dependencies per call",
        help="Small models lose the format if there are more than five.",
        group=SettingGroup.ADVANCED,
        unit="facts",
        bounds=(1, 5),
        words="structural model",
    )
