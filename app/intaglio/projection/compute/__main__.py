"""``python -m intaglio.projection.compute``: the process that computes layouts."""

from intaglio.projection.compute.worker import main

if __name__ == "__main__":
    main()
