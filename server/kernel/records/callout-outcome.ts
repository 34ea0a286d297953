// What a callout of an automation has returned, for the actions that follow.

export interface CalloutOutcome {
  status: number
  /** As JSON; null without a body. */
  body: string | null
}

/** By the key of the action. */
export type CalloutOutcomes = Readonly<Record<string, CalloutOutcome>>
