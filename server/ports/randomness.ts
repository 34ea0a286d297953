// A port for randomness, so that tests can control it (style 7).

export interface Randomness {
  /** Returns `count` unpredictable bytes. */
  bytes(count: number): Uint8Array
}
