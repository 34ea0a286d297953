// A room: everything the platform knows of one component type, on one page (architecture: "A room").
import type { z } from 'zod'
import type { CivilDate } from '../dates/civil-date.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import type { BodyTypes, ComponentOf } from './body-types.ts'
import type { ComponentId, ComponentType } from './component.ts'
import type { FormDescriptor } from './form.ts'
import type { AuthorPermission } from './permission-set/body.ts'
import type { ComponentView } from './view.ts'

/** An outgoing edge of the reference graph. */
export interface Reference {
  /** JSON pointer to the place that names the target (for an expression: to the expression). */
  path: string
  to: ComponentId
  /** A field of the target (of a set or an object) where only that is read. */
  member?: string
}

/** A place that a secret fills at run time; it never stands in the component (specification 5.6). */
export interface SecretSlot {
  principal: string
  names: string[]
}

/** Users and groups are runtime state; rules ask for them through this. */
export interface PrincipalDirectory {
  user(key: string): 'live' | 'inactive' | undefined
  group(key: string): 'live' | undefined
  userKeys(): string[]
  groupKeys(): string[]
}

export interface RuleContext {
  /** The whole candidate generation. */
  view: ComponentView
  /** The active generation; null for an org's first. */
  base: ComponentView | null
  today: CivilDate
  principals: PrincipalDirectory
  /** The rationale given with the apply, empty where none. */
  rationale: string
  /** Every rationale that the flag of this key has had, under any key; none of a flag that is new here. */
  formerRationales: (flag: string) => readonly string[]
}

export type Rule<T extends ComponentType> = (component: ComponentOf<T>, context: RuleContext) => Finding[]

export interface ComponentDoc {
  /** One sentence: what it is. */
  summary: string
  /** Markdown: when to use it, what to know. */
  text: string
  /** One valid example body. */
  example: unknown
}

/** How a schema issue at a place of the body is called, where the general codes say too little. */
export interface IssueNaming {
  /** JSON pointer below the body, `*` for any step: `/values/*`. */
  at: string
  code: FindingCode
  /** The whole message; the schema's own where left out. */
  message?: (componentKey: string, missing: boolean) => string
}

export interface Room<T extends ComponentType> {
  type: T
  /** Singular and plural for people: "configuration set". */
  title: string
  plural: string
  /** The system permission that a change of this type asks for (specification 5.4; completions 6). */
  author: AuthorPermission
  /** Strict schema; parsing fills defaults in and puts order-free lists in their normal order. */
  body: z.ZodType<BodyTypes[T]>
  /** To declared types where that needs other components (an entry's values by its set). Pure. */
  normalise?: (component: ComponentOf<T>, view: ComponentView) => ComponentOf<T>
  references: (component: ComponentOf<T>) => Reference[]
  secretSlots: (component: ComponentOf<T>) => SecretSlot[]
  /** Order is the order of findings. Each returns all that it finds. */
  rules: readonly Rule<T>[]
  /** How array items below the body are told apart in diffs: JSON pointer with `*` → property, e.g. `/fields` → `key`. */
  itemKeys: Readonly<Record<string, string>>
  /** Lists of the body whose items the rules judge each for itself, so that one at fault keeps no other from it. */
  independent?: readonly string[]
  /** Codes of the schema's issues where the specification names the failure. */
  issues?: readonly IssueNaming[]
  form: FormDescriptor
  doc: ComponentDoc
}

/** Checks a room's shape at compile time; a missing part does not compile. */
export function defineComponentType<T extends ComponentType>(room: Room<T>): Room<T> {
  return room
}
