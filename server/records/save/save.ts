// One save: of an item of a request, or of a record that another save changes.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type {
  ArchiveMark,
  FieldId,
  FieldProblem,
  KeptInputs,
  LoadedRecords,
  ObjectId,
  ObjectPrograms,
  RecordSnapshot,
  Shape,
} from '#kernel/records/index.ts'
import type { RecordAccess } from '../../access/index.ts'
import type { RecordTransactor, StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'

/** The values of a request by field key or alias, as JSON. */
export type SentValues = Readonly<Record<string, unknown>>

export type SaveItem =
  | { op: 'insert'; object: string; values: SentValues }
  /** @param endsUnchanged whether nothing is written if no value has changed */
  | {
      op: 'update'
      object: string
      id: string
      version: number | null
      values: SentValues
      endsUnchanged?: boolean
    }
  /** Computes each cell at the generation of the request. */
  | { op: 'recompute'; object: string; id: string; version: number | null; keepsArchived?: boolean }
  /** Marks values whose evidence is archived. Changes no value. */
  | { op: 'archive'; object: string; id: string; version: number | null; marks: ArchiveMarks }
  /**
   * Computes fields that were added to the object, or came back, and clears references that came back and name no record.
   * Needs no rights, and checks nothing: the rest of the record stays as it was.
   */
  | {
      op: 'fill'
      object: string
      id: string
      version: number | null
      fields: readonly FieldId[]
      onProblems?: OnProblems
    }
  /** Computes what reads a record that was changed, as a save that follows from it would. */
  | { op: 'follow'; object: string; id: string; version: number | null }
  /** Replaces values, and computes what reads them. Needs no rights, checks nothing, and runs no automation. */
  | { op: 'erase'; object: string; id: string; version: number | null; erased: ErasedValues }
  | { op: 'delete'; object: string; id: string; version: number | null }

/** Called with what cannot be computed, whose value is then absent. */
export type OnProblems = (problems: readonly FieldProblem[]) => void

/** Of each value that is archived, with everything that its formula has read. */
export type ArchiveMarks = ReadonlyMap<FieldId, { mark: ArchiveMark; inputs: KeptInputs }>

/** What an erasure stores in place of values. */
export type ErasedValues = ReadonlyMap<FieldId, FieldValue>

export type PhaseName =
  | 'load'
  | 'enter'
  | 'shape'
  | 'validate'
  | 'adjust'
  | 'effects'
  | 'write'
  | 'remove'
  | 'roll_up'
  | 'recompute_readers'

export interface TraceStep {
  phase: PhaseName
  /** `<object>/<id>`. */
  record: string
  /** The number of the save within its item. */
  save: number
}

/** What all saves of one item share. */
export interface SaveContext {
  readonly tx: RecordTransactor
  /** The generation of the request. */
  readonly present: RecordSnapshot
  readonly snapshots: RecordSnapshots
  readonly scopePath: ScopePath
  readonly actor: string
  /** What the actor can do. */
  readonly access: RecordAccess
  readonly correlationId: string
  /** ISO 8601 instant. */
  readonly now: string
  newId(): string
  /** Called when a save enters a phase. */
  readonly trace: ((step: TraceStep) => void) | undefined
  /** Whether the time of the request is used up. */
  readonly isLate: () => boolean
  /** Saves of the item, those that follow from it included. */
  saves: number
  /** Records that were written for the item. */
  touched: number
  /** Writes of the item that a roll-up computed from all its children includes, by `<field>/<parent>`. */
  readonly rolledUp: Map<string, number>
  /**
   * Roll-ups that an earlier item of the request has computed from all children, with the stored value as the result, by
   * `<field>/<parent>`: they were bound to an earlier generation, and still are.
   */
  readonly confirmed: Set<string>
  /** Each record as the item last wrote it, by id; null if it was removed. */
  readonly latest: Map<string, StoredRecord | null>
  /** Each record as the item found it, by id; null if the item adds it. */
  readonly found: Map<string, StoredRecord | null>
  /** Automations that have run for the item, with the record. */
  readonly ran: Set<string>
  /** Whether its errors are kept, and shown to other users than the actor: those of a job. */
  readonly keepsErrors: boolean
  /** How many automations after commits have led to this item. */
  readonly depth: number
  /** Automations that run after the commit. */
  readonly left: LeftAutomation[]
}

/** An automation at post_commit that a save has triggered. */
export interface LeftAutomation {
  key: string
  object: ObjectId
  record: string
}

export interface Save {
  readonly context: SaveContext
  readonly number: number
  readonly object: string
  readonly objectId: ObjectId
  readonly programs: ObjectPrograms
  readonly ids: ReadonlyMap<string, FieldId>
  readonly id: string
  /** `<object>/<id>` of each save that led to this one, the first one first. */
  readonly chain: readonly string[]
  /** Whether the rights of the actor are checked: not in a save that follows from a roll-up or a formula. */
  readonly isChecked: boolean
  readonly sent: SentValues
  readonly version: number | null
  readonly recompute: boolean
  /** Whether a recompute leaves archived values as they are. */
  readonly keepsArchived: boolean
  readonly marks: ArchiveMarks
  /** Null unless the save is part of an erasure; empty in one that follows from it. */
  readonly erased: ErasedValues | null
  /** Roll-ups whose children have changed. */
  readonly dirty: ReadonlySet<FieldId>
  /** The save of the child that made roll-ups dirty; null for any other save. */
  readonly childSave: Save | null
  /** Whether the record of a save that follows from another one does not exist: there is nothing to save. */
  isGone: boolean
  /** The record as the save found it; null if the save adds it. */
  before: StoredRecord | null
  /** Entered values, and those of cells once they are computed. */
  values: Map<FieldId, FieldValue>
  /** Fields of a new record that were not sent. */
  missing: Set<FieldId>
  shape: Shape | null
  /** The records that expressions and references of this record name. */
  loaded: LoadedRecords
  /** The number of its write within the item; 0 before. */
  written: number
  /** The record as it was written; null if it was removed or is not written yet. */
  after: StoredRecord | null
}

/** A phase of the save order. It reads the save and adds to it, or throws. One without a promise has finished. */
export interface Phase {
  readonly name: PhaseName
  run(save: Save): Promise<void> | void
}
