// The user who runs this process, according to the operating system.
import { userInfo } from 'node:os'

export function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a uid without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
