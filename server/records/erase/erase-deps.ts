// The parts that an erasure uses besides those of a save.
import type { ObjectId } from '#kernel/records/index.ts'
import type { CommandDeps } from '../commands/save-command.ts'

/** What is known of objects from earlier generations, also of those that were removed. */
export interface ObjectHistory {
  /** The generations that added or changed an object, the newest first. */
  versionsOf(object: ObjectId): readonly number[]
  /** The keys that an object has had. */
  keysOf(object: ObjectId): readonly string[]
}

export interface EraseDeps extends CommandDeps, ObjectHistory {}
