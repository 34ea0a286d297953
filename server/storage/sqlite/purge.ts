// Deletes old content that nothing binds. Generation rows stay as the log of author and rationale.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { run, type Db } from './db.ts'
import { activeOf } from './generations.ts'
import { deleteUnusedBindings, generationsOfRecords } from './records/bindings.ts'
import { lockRecords } from './records/records-file.ts'
import { boundGenerations } from './results.ts'

/** @throws AlmanacError deploy.history_bound, generation.not_found */
export function purgeBefore(db: Db, generation: number): { generations: number; versions: number } {
  if (generation > activeOf(db))
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${generation} does not exist yet; nothing was purged.`,
    )
  const bound = [...boundGenerations(db).keys()].filter((each) => each < generation)
  if (bound.length > 0)
    throw new AlmanacError(
      'deploy.history_bound',
      `Stored results are bound to generation ${bound.join(', ')}. Rebind or archive them first.`,
    )
  // No save must bind a value to what is purged.
  lockRecords(db)
  deleteUnusedBindings(db, generation)
  const ofRecords = generationsOfRecords(db).filter((each) => each < generation)
  if (ofRecords.length > 0)
    throw new AlmanacError(
      'deploy.history_bound',
      `Values of records are bound to generation ${ofRecords.join(', ')}. Rebind or archive the records that are bound to a generation before ${generation} first.`,
    )
  const generations = run(
    db,
    'UPDATE generation SET purged = 1 WHERE generation < ? AND purged = 0',
    generation,
  )
  const versions = run(db, 'DELETE FROM placement WHERE to_gen <= ?', generation)
  run(db, 'DELETE FROM reference WHERE to_gen <= ?', generation)
  run(db, 'DELETE FROM set_fact WHERE to_gen <= ?', generation)
  run(
    db,
    `DELETE FROM content WHERE digest NOT IN (SELECT digest FROM placement)
     AND digest NOT IN (SELECT before_digest FROM audit WHERE before_digest IS NOT NULL)
     AND digest NOT IN (SELECT after_digest FROM audit WHERE after_digest IS NOT NULL)`,
  )
  return { generations, versions }
}
