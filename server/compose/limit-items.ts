// Limits what a worker sends to the readers' thread.
import type { ApplyRequest } from '../pipeline/index.ts'

/** Maximum number of changes and findings in one response; a longer list would block the readers. */
const maxItems = 1000

/** The pipeline cuts its lists to `most`. */
export function limitItems<R extends Pick<ApplyRequest, 'most'>>(request: R): R {
  return { ...request, most: Math.min(request.most ?? maxItems, maxItems) }
}
