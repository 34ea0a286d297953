// Conditions that are legal, but larger than SQLite takes: they are refused as any that is too large.
import Database from 'better-sqlite3'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const tooLarge =
  /^(Expression tree is too large|parser stack overflow|too many (terms|columns|SQL variables|FROM clause terms|levels))|at most \d+ tables in a join/

/** @throws AlmanacError `expression.invalid` for a filter or an order that SQLite cannot take */
export function withinSqlLimits<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError) || !tooLarge.test(cause.message)) throw cause
    throw new AlmanacError(
      'expression.invalid',
      'The filter or the order is too large: it follows too many references, or has too many conditions. Shorten it, or add a stored formula and use that.',
      { cause },
    )
  }
}
