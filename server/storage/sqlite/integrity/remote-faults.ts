// Checks contents that were fetched from remotes, by their digests.
import { hash } from 'node:crypto'
import { componentDigest } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Db } from '../db.ts'
import { rowsOf } from './content-faults.ts'
import { fault } from './fault.ts'

const sha256 = (text: string): string => hash('sha256', text, 'hex')

export function remoteFaults(db: Db): Finding[] {
  return [...rowsOf<{ digest: string; json: string }>(db, 'remote_content', 'digest')]
    .filter(({ digest, json }) => !hasDigest(json, digest))
    .map(({ digest }) =>
      fault('integrity.content', `remote_content/${digest}`, 'Fetched content does not match its digest.'),
    )
}

function hasDigest(json: string, digest: string): boolean {
  try {
    return componentDigest(JSON.parse(json) as Component, sha256) === digest
  } catch {
    return false
  }
}
