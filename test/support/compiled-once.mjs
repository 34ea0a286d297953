// Compiles the sources once for both runners: otherwise every server that a test starts, and each of its workers, would
// compile them again.
import { join } from 'node:path'

process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'compiled',
)
