// What the tables of records and values run against: the engines in this process, and the same behind a real server.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { Answer } from '../support/running-server.ts'

export interface Refused {
  refused: ErrorCode
  message: string
  details: unknown[]
}

/** The parts of answers that the tables look at. */
export interface Body {
  id: string
  version: number
  fields: Record<string, string | boolean | null>
  entry: string
  values: Record<string, string | boolean>
  /** Canonical JSON. */
  value: string
  binding: Record<string, unknown>
  records: Body[]
  nextCursor: string | null
  /** `insert`, `update` or `delete`, or the code of a refusal. */
  results: string[]
  objects: { key: string; rights: object }[]
  generation: number
  ran: boolean
  returns: Record<string, string | boolean | null>
}

export type Given = Refused | Body

export interface ResolveQuestion {
  set: string
  key?: string | null
  scope?: object
  asOf?: string | null
  generation?: number
}

export interface EvaluateQuestion {
  expression: string
  inputs?: object
  scope?: object
  asOf?: string | null
  generation?: number
}

export interface SavedItem {
  op: 'insert' | 'update' | 'delete' | 'recompute'
  id?: string
  version?: number
  fields?: object
}

export interface Query {
  object: string
  fields: readonly string[]
  filter?: string
  orderBy?: readonly { field: string; dir?: 'asc' | 'desc' }[]
  limit?: number
  cursor?: string
}

export interface OperationCall {
  params: object
  asOf?: string
}

/** As a user of the ground; `in` an app. */
export interface As {
  user: string
  in?: string
}

export interface DataOrg {
  readonly name: 'engine' | 'http'
  /** By `admin`. */
  apply(components: readonly object[], removals?: readonly string[]): Promise<Given>
  resolve(as: As, question: ResolveQuestion): Promise<Given>
  evaluate(as: As, question: EvaluateQuestion): Promise<Given>
  save(as: As, object: string, item: SavedItem): Promise<Given>
  /** The results, each the id and version or a refusal. */
  batch(as: As, object: string, items: readonly object[], allOrNone?: boolean): Promise<Given>
  get(as: As, object: string, id: string, fields?: readonly string[]): Promise<Given>
  query(as: As, query: Query): Promise<Given>
  objects(as: As): Promise<Given>
  call(as: As, operation: string, call: OperationCall): Promise<Given>
  activeGeneration(): Promise<number>
  /** Any request; only over HTTP. `null` is a caller without credentials. */
  send(as: As | null, method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  close(): Promise<void>
}

export interface DataTarget {
  name: string
  /** A new org with the components and users of the ground. */
  start(): Promise<DataOrg>
}

/** One rule of the specification, and what follows from it. */
export interface RuleCase {
  /** Section and number of the rule. */
  rule: string
  name: string
  run(org: DataOrg): Promise<unknown>
  gives: unknown
  /** A rule about requests themselves. */
  only?: 'http'
  /** Changes metadata: it gets an org of its own. */
  deploys?: true
}

/** Of what was refused the code, of everything else the parts that `take` names. */
export function seen(given: Given, take: (body: Body) => unknown): unknown {
  return 'refused' in given ? given.refused : take(given)
}

/** The body of an answer that must not be a refusal. */
export function done(given: Given): Body {
  if ('refused' in given)
    throw new Error(`${given.refused}: ${given.message} ${JSON.stringify(given.details)}`)
  return given
}
