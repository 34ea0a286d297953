// One import, from the text of a description to what is stored. Runs in a thread of its own.
import { zstdCompressSync } from 'node:zlib'
import type { Sha256 } from '#kernel/change/index.ts'
import {
  findDrift,
  type DriftSide,
  type OperationDrift,
  importDescription,
  type DescriptionSource,
  type OperationSummary,
} from '../external-services/index.ts'
import type { NewDescription } from '../ports/descriptions.ts'
import { descriptionFileText } from '../pipeline/index.ts'

export interface ImportTask {
  source: DescriptionSource
  /** Names of operations; all if undefined. */
  operations?: readonly string[] | undefined
  /** What is compared with it: the bundle as JSON, and its operations. */
  base?: { bundle: string; operations: DriftSide['operations'] } | undefined
}

export interface ImportReply {
  description: Omit<NewDescription, 'importedAt'>
  /** Every operation of the text, to choose from. */
  available: readonly OperationSummary[]
  /** What cannot be typed or checked, each in words. */
  warnings: readonly string[]
  /** What it changes for callers; empty without a base. */
  drift: readonly OperationDrift[]
}

const mostWarnings = 100

/** @throws AlmanacError `description.…` naming the source, the place and what to do */
export function importInThread({ source, operations, base }: ImportTask, sha256: Sha256): ImportReply {
  const found = importDescription(source, { operations, sha256 })
  const bundle = JSON.stringify(found.bundle)
  const { hash, title, version } = found
  return {
    description: {
      ...{ hash, title, version, operations: found.operations },
      bytes: Buffer.byteLength(bundle),
      fileDigest: sha256(descriptionFileText(bundle)),
      bundle: zstdCompressSync(bundle),
      types: zstdCompressSync(JSON.stringify(found.types)),
    },
    available: found.available,
    drift: base === undefined ? [] : findDrift(sideOf(base), found, sha256),
    warnings: found.warnings.slice(0, mostWarnings).map(({ message }) => message),
  }
}

function sideOf({ bundle, operations }: NonNullable<ImportTask['base']>): DriftSide {
  return { bundle: JSON.parse(bundle) as DriftSide['bundle'], operations }
}
