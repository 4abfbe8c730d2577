"""Many games as rows: jobs that can be played anywhere, sweeps over them, comparisons and figures."""
