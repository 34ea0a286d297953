// A room: what the platform knows about one component type, besides its form (forms.ts) and how its lists are compared
// (item-keys.ts), which the studio reads without the schema.
import type { z } from 'zod'
import type { CivilDate } from '../dates/civil-date.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import type { BodyTypes, ComponentOf } from './body-types.ts'
import type { ComponentId, ComponentType } from './component.ts'
import type { AuthorPermission } from './permission-set/system-permissions.ts'
import type { ComponentView } from './view.ts'

/** An outgoing edge of the reference graph. */
export interface Reference {
  /** JSON pointer to the place that names the target (for an expression: to the expression). */
  path: string
  to: ComponentId
  /** A field of the target (of a set or an object), if only that field is read. */
  member?: string
}

/** A place that a secret fills at run time; the component never contains it. */
export interface SecretSlot {
  principal: string
  names: string[]
}

/** Users and groups are runtime state; rules look them up through this. */
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
  /** The rationale of the apply; empty if none. */
  rationale: string
  /** Returns every rationale that the flag with this key has had, under any key; none for a new flag. */
  formerRationales: (flag: string) => readonly string[]
}

export type Rule<T extends ComponentType> = (component: ComponentOf<T>, context: RuleContext) => Finding[]

export interface ComponentDoc {
  /** One sentence: what it is. */
  summary: string
  /** Markdown: when and how to use it. */
  text: string
  /** One valid example body. */
  example: unknown
}

/** The code for schema issues at a place in the body, if the general codes are not specific enough. */
export interface IssueNaming {
  /** JSON pointer below the body, `*` for any step: `/values/*`. */
  at: string
  code: FindingCode
  /** The whole message; if omitted, the message of the schema. */
  message?: (componentKey: string, missing: boolean) => string
}

export interface Room<T extends ComponentType> {
  type: T
  /** Singular and plural for people: "configuration set". */
  title: string
  plural: string
  /** The system permission that a change of this type requires. */
  author: AuthorPermission
  /** Strict schema; parsing fills in defaults and sorts lists without a meaningful order. */
  body: z.ZodType<BodyTypes[T]>
  /** Normalises to declared types that depend on other components (the values of an entry by its set). Pure. */
  normalise?: (component: ComponentOf<T>, view: ComponentView) => ComponentOf<T>
  /** @param view if omitted, edges whose target depends on other components are missing */
  references: (component: ComponentOf<T>, view?: ComponentView) => Reference[]
  secretSlots: (component: ComponentOf<T>) => SecretSlot[]
  /** In the order of findings. Each rule returns all of its findings. */
  rules: readonly Rule<T>[]
  /** Lists of the body whose items the rules check independently, so that a faulty item does not block the others. */
  independentLists?: readonly string[]
  /** Codes of schema issues that are specific to this type. */
  issues?: readonly IssueNaming[]
  doc: ComponentDoc
}

/** Checks the shape of a room at compile time. */
export function defineComponentType<T extends ComponentType>(room: Room<T>): Room<T> {
  return room
}
