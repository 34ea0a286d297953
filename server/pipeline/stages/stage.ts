// What a stage of an apply is: a named function that reads the context and adds to it. The compiler checks that each
// stage of a list gets what it needs from the stages before it (docs/architecture.md).
import type { FaultHook, StageName } from './names.ts'

export interface Stage<Name extends StageName, Needs, Gives> {
  readonly name: Name
  readonly run: (context: Needs) => Gives
}

interface AnyStage {
  readonly name: StageName
  readonly run: (context: never) => unknown
}

type NeedsOf<S> = S extends { run: (context: infer Needs) => unknown } ? Needs : never
type GivesOf<S> = S extends { run: (context: never) => infer Gives } ? Gives : never

/** What is known after these stages. */
export type After<Stages extends readonly unknown[], Given> = Stages extends readonly [
  infer First,
  ...infer Rest,
]
  ? After<Rest, Given & GivesOf<First>>
  : Given

/** `All` if the order is possible; otherwise the name of the first stage that lacks something. */
type InOrder<Stages extends readonly AnyStage[], All, Given> = Stages extends readonly [
  infer First extends AnyStage,
  ...infer Rest extends AnyStage[],
]
  ? Given extends NeedsOf<First>
    ? InOrder<Rest, All, Given & GivesOf<First>>
    : { lacksContext: First['name'] }
  : All

/** Runs stages in order; each is a fault point. Returns the context with everything that they added. */
export function runStages<const Stages extends readonly AnyStage[], Given extends object>(
  stages: Stages & InOrder<Stages, Stages, Given>,
  input: Given,
  faultHook: FaultHook | undefined,
): After<Stages, Given> {
  let context: object = input
  for (const { name, run } of stages as Stages) {
    faultHook?.(name)
    context = { ...context, ...(run(context as never) as object) }
  }
  return context as After<Stages, Given>
}
