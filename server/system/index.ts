// The machine's own clock, ids and hash, behind the ports (style 7).
export { fileSigningKeys } from './file-signing-keys.ts'
export { systemClock } from './system-clock.ts'
export { systemIds } from './system-ids.ts'
export { systemRandom } from './system-random.ts'
export { systemSha256 } from './system-sha256.ts'
