// The place of a finding in a repository: path, line and column, for reports that other programs read.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Finding } from '#kernel/errors/finding.ts'

export interface FindingPlace {
  /** Relative to the root of the repository, with "/" between steps; absolute if it is not below the root. */
  path: string
  isAbsolute: boolean
  /** From 1, the column in UTF-16 code units. */
  line?: number
  column?: number
}

/** Places are known for findings of a directory. The root is GITHUB_WORKSPACE, else the working directory. */
export function placeOf({ facts }: Finding, dir: string | undefined): FindingPlace | null {
  if (dir === undefined) return null
  // A finding about the directory itself shows it as the user typed it.
  const file = typeof facts?.['file'] === 'string' && facts['file'] !== dir ? facts['file'] : '.'
  const [line, column] = [facts?.['line'], facts?.['column']]
  return {
    ...repositoryPath(resolve(dir, file)),
    line: typeof line === 'number' ? line : undefined,
    column: typeof column === 'number' ? column : undefined,
  }
}

function repositoryPath(path: string): Pick<FindingPlace, 'path' | 'isAbsolute'> {
  const roots = [process.env['GITHUB_WORKSPACE'], process.cwd()]
  for (const root of roots) {
    if (root === undefined || root === '') continue
    const below = relative(root, path)
    if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) continue
    return { path: below === '' ? '.' : below.split(sep).join('/'), isAbsolute: false }
  }
  return { path, isAbsolute: true }
}
