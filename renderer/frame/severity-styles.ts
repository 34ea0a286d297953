// The glyph and the tone of each severity.
import type { Severity } from '#kernel/errors/finding.ts'
import type { IconName } from './icons.ts'

export const severityStyles: Record<Severity, { icon: IconName; tone: string }> = {
  error: { icon: 'error', tone: 'err' },
  warning: { icon: 'warning', tone: 'warn' },
  info: { icon: 'info', tone: 'muted' },
}
