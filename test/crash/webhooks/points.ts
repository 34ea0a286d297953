// The points between the steps of a delivery at which a process can end.
export const points = [
  /** It was verified, and is not stored. */
  'verified',
  /** It is stored, and not acknowledged. */
  'stored',
  /** It is acknowledged, and not claimed. */
  'acknowledged',
  /** It is claimed, and has no effect. */
  'claimed',
  /** Its effect and its mark are committed, and the worker does not know it. */
  'dispatched',
] as const
export type Point = (typeof points)[number]

/** `repeats`: nothing recognises a repeated delivery. */
export type PlantedFault = 'repeats' | '-'

export const secret = 'a secret of the sender'
