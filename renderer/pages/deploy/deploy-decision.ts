// The selection and the texts for a remote; they survive a reload of the window.
import type { Ticks } from './ticks.ts'

export interface Decision {
  base: Ticks['base']
  picks: [string, boolean][]
  rationale: string
  title: string
  applyOn: string
}

const place = (key: string): string => `almanac.deploy.decision.${key}`

/** Returns the decision for a remote from before a reload of the window. */
export function keptDecision(key: string): Decision {
  const none: Decision = { base: 'default', picks: [], rationale: '', title: '', applyOn: '' }
  try {
    return {
      ...none,
      ...(JSON.parse(sessionStorage.getItem(place(key)) ?? '{}') as Partial<Decision>),
    }
  } catch {
    return none
  }
}

export function keepDecision(key: string, decision: Decision): void {
  sessionStorage.setItem(place(key), JSON.stringify(decision))
}
