// SHA-256 of the platform, which is faster than the kernel's implementation and gives the same digits.
import { hash } from 'node:crypto'
import type { Sha256 } from '#kernel/change/index.ts'

export const systemSha256: Sha256 = (text) => hash('sha256', text, 'hex')
