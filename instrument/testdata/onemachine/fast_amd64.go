package main

func vectors(n int) int { return same(n) * 3 }

func fast(n int) int { return vectors(n) }
