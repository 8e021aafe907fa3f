"""Pure stages: values in, values out; no clock, no files, no unseeded randomness."""
