// Unpredictable bytes of the machine, behind the port.
import { randomBytes } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'

export const systemRandom: Randomness = { bytes: (count) => randomBytes(count) }
