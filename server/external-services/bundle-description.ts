// From the text of a description to a bundle of its chosen operations.
import { bundle } from './document/bundle.ts'
import { openapiVersion, type OpenapiVersion } from './document/openapi-version.ts'
import { chooseOperations, listOperations, type ListedOperation } from './document/operation-list.ts'
import { PointerReader } from './document/pointer-reader.ts'
import type { JsonObject } from './json.ts'
import type { DescriptionLimits } from './read/limits.ts'
import { readDescription, type DescriptionSource } from './read/read-description.ts'

export interface BundledDescription {
  /** The version of the text; the bundle is always 3.1. */
  version: OpenapiVersion
  /** OpenAPI 3.1 with the chosen operations and what they reach. */
  bundle: JsonObject
  /** Every operation of the text, chosen or not. */
  listed: readonly ListedOperation[]
  chosen: readonly ListedOperation[]
}

/**
 * @param operations names of the operations to keep; all if undefined
 * @throws AlmanacError with a code of descriptions, naming the place
 */
export function bundleDescription(
  source: DescriptionSource,
  operations?: readonly string[],
  limits?: DescriptionLimits,
): BundledDescription {
  const document = readDescription(source, limits)
  const version = openapiVersion(document, source.name)
  const reader = new PointerReader(document, source.name)
  const listed = listOperations(reader)
  const chosen = chooseOperations(listed, operations, source.name)
  return { version, bundle: bundle(reader, version, chosen), listed, chosen }
}
