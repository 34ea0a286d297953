// Randomness comes in through a port too, so that a test can hold it still (style 7).

export interface Randomness {
  /** As many unpredictable bytes as asked for. */
  bytes(count: number): Uint8Array
}
