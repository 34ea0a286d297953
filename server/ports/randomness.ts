// A port for randomness, so that tests can control it.

export interface Randomness {
  /** Returns `count` unpredictable bytes. */
  bytes(count: number): Uint8Array
}
