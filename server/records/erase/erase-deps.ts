// The parts that an erasure uses besides those of a save.
import type { ObjectId } from '#kernel/records/index.ts'
import type { CommandDeps } from '../commands/save-command.ts'

export interface EraseDeps extends CommandDeps {
  /** The generations that added or changed an object, the newest first. */
  versionsOf(object: ObjectId): readonly number[]
}
