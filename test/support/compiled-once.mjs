// For both runners: every server that a test starts, and every worker of it, would compile its sources anew.
import { join } from 'node:path'

process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'compiled',
)
