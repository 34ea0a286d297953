// Unpredictable bytes from the machine.
import { randomBytes } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'

export const systemRandomness: Randomness = { bytes: (count) => randomBytes(count) }
