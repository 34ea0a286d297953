// Imports a description in a process of its own: `node import-process.ts <file>`, which prints what it came to.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { importDescription } from '../../../server/external-services/index.ts'

export interface ImportInProcess {
  /** Of the import alone, without the start of the process. */
  ms: number
  bytes: number
  operations: number
  hash: string
}

const [file = ''] = process.argv.slice(2)
const started = performance.now()
const text = readFileSync(file, 'utf8')
const imported = importDescription(
  { text, name: basename(file) },
  { sha256: (content) => hash('sha256', content) },
)
const result: ImportInProcess = {
  ...{ ms: performance.now() - started, bytes: Buffer.byteLength(text) },
  ...{ operations: imported.operations.length, hash: imported.hash },
}
// The peak of the memory is read from outside every 50 ms.
setTimeout(() => console.log(JSON.stringify(result)), 100)
