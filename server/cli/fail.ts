// Prints failures: code, location and fix for people, the error envelope with --json.
import { randomUUID } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isFinding } from '#kernel/errors/finding.ts'
import { fileError, isFileError } from '../files/index.ts'
import { problemOf } from '../http/problem.ts'
import { conflictsText, isConflict } from './conflict-text.ts'
import { findingsText } from './findings-text.ts'
import { printableText } from './printable-text.ts'
import type { Terminal } from './terminal.ts'

const maxMessageLength = 2000

export const exitCodes = { done: 0, failed: 1, usage: 2, differs: 3 } as const

/** Prints the failure and returns the exit code. */
export async function printFailure(thrown: unknown, terminal: Terminal): Promise<number> {
  const { paint } = terminal
  // The user can fix what the file system refuses, in any part of the program.
  const error = isFileError(thrown) ? fileError('written', thrown.path ?? 'The output', thrown) : thrown
  const origin = (error instanceof AlmanacError ? error.origin : undefined) ?? 'cli'
  await terminal.data({ ...problemOf(error, randomUUID()), origin })
  if (error instanceof AlmanacError) {
    const findings = error.details.filter(isFinding)
    if (!terminal.json && findings.length > 0) terminal.note(findingsText(findings, terminal))
    terminal.note(`${paint.red(error.code)}  ${printableText(error.message, maxMessageLength)}`)
    const conflicts = error.details.filter(isConflict)
    if (!terminal.json && conflicts.length > 0) terminal.note(conflictsText(conflicts, terminal))
    for (const line of detailLines(
      error.details.filter((detail) => !isFinding(detail) && !isConflict(detail)),
      error.message,
    ))
      if (line !== error.message) terminal.note(`  ${printableText(line, maxMessageLength)}`)
  } else
    terminal.note(
      `${paint.red('internal.error')}  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  return exitCodes.failed
}

/** The other details of an error: denials, referencing items. Plain texts are already in its message. */
function detailLines(details: readonly unknown[], errorMessage: string): string[] {
  return details.slice(0, 50).flatMap((detail) => {
    if (typeof detail !== 'object' || detail === null) return []
    const { id, permission, message, start } = detail as Partial<
      Record<'id' | 'permission' | 'message', string> & { start: number }
    >
    // A problem of an expression has an offset, counted in UTF-16 code units.
    if (message !== undefined && start !== undefined)
      return [`At character ${start + 1}${message === errorMessage ? '.' : `: ${message}`}`]
    if (message !== undefined) return [message]
    return id === undefined ? [] : [permission === undefined ? id : `${id}: ${permission}`]
  })
}

/** Usage errors that commander cannot detect. */
export class UsageError extends Error {}
