// The selection and the texts for a remote; they survive a reload of the window.
import type { Ticks } from './ticks.ts'

export interface DeployDecision {
  base: Ticks['base']
  picks: [string, boolean][]
  rationale: string
  title: string
  applyOn: string
}

const place = (key: string): string => `almanac.deploy.decision.${key}`

/** Returns the decision for a remote that was stored before a reload of the window. */
export function loadDecision(key: string): DeployDecision {
  const none: DeployDecision = { base: 'default', picks: [], rationale: '', title: '', applyOn: '' }
  try {
    return {
      ...none,
      ...(JSON.parse(sessionStorage.getItem(place(key)) ?? '{}') as Partial<DeployDecision>),
    }
  } catch {
    return none
  }
}

export function saveDecision(key: string, decision: DeployDecision): void {
  sessionStorage.setItem(place(key), JSON.stringify(decision))
}
