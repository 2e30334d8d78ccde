"""Samplers: algorithms that draw many graphs instead of looking for one."""

from mahc.algorithms.sampling.sampler import Drawn, Sampler, draw

__all__ = ["Drawn", "Sampler", "draw"]
