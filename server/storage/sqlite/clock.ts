// The latest time that the org has seen: its clock never goes back behind it.
import { one, run, type Db } from './db.ts'

export function seenTime(db: Db): string {
  return one<{ at: string }>(db, 'SELECT at FROM clock')?.at ?? ''
}

export function noteTime(db: Db, at: string): void {
  run(db, 'UPDATE clock SET at = @at WHERE at <= @at', { at })
}
