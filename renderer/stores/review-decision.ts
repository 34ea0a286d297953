// The unticked changes and the rationale of the list: they survive a reload of the window.
import type { ComponentId } from '../api/wire.ts'

const place = 'almanac.decision'

interface ReviewDecision {
  off: ComponentId[]
  rationale: string
}

export function saveDecision(decision: ReviewDecision): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(decision))
  } catch {
    // If the store is full, only the ticks are lost on a reload.
  }
}

export function loadDecision(): ReviewDecision {
  try {
    const { off, rationale } = JSON.parse(sessionStorage.getItem(place) ?? '') as ReviewDecision
    return { off: Array.isArray(off) ? off : [], rationale: String(rationale ?? '') }
  } catch {
    return { off: [], rationale: '' }
  }
}
