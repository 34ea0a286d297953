// The whole numbers that a property of a source can hold, by its remote type.
import { signedRange, unsignedRange, type IntegerRange } from '../../decimal/integer-range.ts'

const ranges: Readonly<Record<string, IntegerRange>> = {
  'Edm.Byte': unsignedRange(8n),
  'Edm.SByte': signedRange(8n),
  'Edm.Int16': signedRange(16n),
  'Edm.Int32': signedRange(32n),
  'Edm.Int64': signedRange(64n),
}

/** Null if the type is not one of whole numbers. */
export const remoteRangeOf = (remoteType: string): IntegerRange | null =>
  Object.hasOwn(ranges, remoteType) ? ranges[remoteType]! : null
