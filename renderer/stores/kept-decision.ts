// The unticked changes and the rationale of the list: they survive a reload of the window (studio: "Nothing lost").
import type { ComponentId } from '../api/wire.ts'

const place = 'almanac.decision'

interface Decision {
  off: ComponentId[]
  rationale: string
}

export function keepDecision(decision: Decision): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(decision))
  } catch {
    // A full store only loses the ticks on a reload.
  }
}

export function keptDecision(): Decision {
  try {
    const { off, rationale } = JSON.parse(sessionStorage.getItem(place) ?? '') as Decision
    return { off: Array.isArray(off) ? off : [], rationale: String(rationale ?? '') }
  } catch {
    return { off: [], rationale: '' }
  }
}
