"""What becomes of jobs that ended when their time is over."""
