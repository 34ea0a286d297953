// The machine's own clock, ids and hash, behind the ports (style 7).
export { systemClock } from './system-clock.ts'
export { systemIds } from './system-ids.ts'
export { systemSha256 } from './system-sha256.ts'
