// The kernel compiles without Node and the DOM, which is proved by planted violations. lint-rules.test.ts proves that it
// has no clocks and no randomness.
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const planted = resolve(root, 'server/kernel/planted-breach.ts')

describe('the compiler rejects an environment in the kernel', () => {
  it.each(['process.pid', 'document.title', 'Buffer.from("")', 'setTimeout(() => {}, 1)', 'fetch("/")'])(
    '%s',
    (expression) => {
      expect(compilerMessages(`export const x = ${expression}\n`).join()).toMatch(/Cannot find name/)
    },
  )

  it('compiles pure code', () => {
    expect(compilerMessages('export const x = [3, 1].toSorted()\n')).toEqual([])
  })
})

/** Compiles one planted kernel file under the kernel's own options; returns the messages about it. */
function compilerMessages(text: string): string[] {
  const file = ts.readConfigFile(resolve(root, 'tsconfig.kernel.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(
    { ...file.config, include: [], files: [planted] },
    ts.sys,
    root,
  )
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.fileExists = (path) => path === planted || fileExists(path)
  host.readFile = (path) => (path === planted ? text : readFile(path))
  host.getSourceFile = (path, ...rest) =>
    path === planted ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2024) : getSourceFile(path, ...rest)
  const program = ts.createProgram(
    [planted],
    { ...options, incremental: false, tsBuildInfoFile: undefined },
    host,
  )
  return ts
    .getPreEmitDiagnostics(program)
    .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'))
}
