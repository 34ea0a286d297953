// The end of an exhaustive switch: a new case that is forgotten does not compile.
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected ${JSON.stringify(value)}`)
}
