// Checks without a turn, then writes in a turn if nothing was written since: other writers never wait for the check.
import type { OrgReader, OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { WriteRunner } from './write-queue.ts'

export interface CheckedWrite<Checked, Written> {
  check: (reader: OrgReader) => Checked
  /** Whether there is nothing to write. */
  isDone?: (checked: Checked) => boolean
  /** Whether the check is still true of what is outside the org: its records. */
  isCurrent?: (transactor: OrgTransactor, checked: Checked) => boolean
  write: (transactor: OrgTransactor, checked: Checked) => Written
}

export interface WriteResult<Checked, Written> {
  checked: Checked
  /** Null if there was nothing to write. */
  written: Written | null
}

/** After this many checks that other writes made obsolete, the check runs in the turn. */
const maxChecksWithoutTurn = 3

/** @throws everything that `check` and `write` throw; then nothing is written */
export async function checkThenWrite<Checked, Written>(
  store: OrgStore,
  turn: WriteRunner,
  work: CheckedWrite<Checked, Written>,
): Promise<WriteResult<Checked, Written>> {
  for (let count = 1; count <= maxChecksWithoutTurn; count += 1) {
    const { checked, position } = store.read((reader) => ({
      position: store.position(),
      checked: work.check(reader),
    }))
    if (work.isDone?.(checked) === true) return { checked, written: null }
    const attempt = await turn.run(() =>
      store.write((transactor) =>
        store.position() === position && work.isCurrent?.(transactor, checked) !== false
          ? { written: work.write(transactor, checked) }
          : null,
      ),
    )
    if (attempt !== null) return { checked, ...attempt }
  }
  return turn.run(() => checkUnderLock(store, work))
}

/** The check sees what is written, because no other writer can have the lock. */
export function checkUnderLock<Checked, Written>(
  store: OrgStore,
  { check, isDone, write }: CheckedWrite<Checked, Written>,
): WriteResult<Checked, Written> {
  return store.write((transactor) => {
    const checked = check(transactor)
    return { checked, written: isDone?.(checked) === true ? null : write(transactor, checked) }
  })
}
