// Only types for Vue's templates; importing it at run time does nothing.
export {}
