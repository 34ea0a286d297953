// Who runs this process, as the operating system knows them.
import { userInfo } from 'node:os'

export function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
