// The one catalogue of error codes: class, HTTP status, retriable, title (docs/reference/http.md).

export type ErrorClass =
  | 'validation'
  | 'not_found'
  | 'permission'
  | 'authentication'
  | 'conflict'
  | 'limit'
  | 'integration'
  | 'deploy'
  | 'protocol'
  | 'internal'

export interface ErrorKind {
  class: ErrorClass
  status: number
  retriable: boolean
  title: string
}

const kind = (errorClass: ErrorClass, status: number, title: string, retriable = false): ErrorKind => ({
  class: errorClass,
  status,
  retriable,
  title,
})

export const errorCatalogue = {
  'request.malformed': kind('validation', 400, 'The request is malformed'),
  'request.invalid': kind('validation', 422, 'The request is not valid'),
  'request.too_large': kind('limit', 413, 'The request is too large'),
  'limit.too_many_elements': kind('limit', 413, 'The request has too many values'),
  'limit.slow_request': kind('limit', 408, 'The request arrived too slowly', true),
  'limit.deadline': kind('limit', 503, 'The request took too long'),
  'limit.query_deadline': kind('limit', 503, 'The query took too long'),
  'limit.memory': kind('limit', 422, 'The request needs too much memory'),
  'limit.rate': kind('limit', 429, 'The client sends too many requests', true),
  'limit.concurrency': kind('limit', 429, 'The client sends too many requests at once', true),
  'limit.busy': kind('limit', 429, 'Too many requests at once', true),
  'request.media_type': kind('validation', 415, 'The media type is not supported'),
  'request.precondition_required': kind('conflict', 428, 'A precondition is required'),
  'protocol.method_not_allowed': kind('protocol', 405, 'The method is not allowed here'),
  'protocol.retired_version': kind('protocol', 410, 'This protocol version is retired'),
  'auth.required': kind('authentication', 401, 'Sign-in is required'),
  'auth.invalid': kind('authentication', 401, 'The credentials are not valid'),
  'auth.throttled': kind('limit', 429, 'Too many attempts', true),
  'auth.forbidden_origin': kind('permission', 403, 'The request comes from a different origin'),
  'access.denied': kind('permission', 403, 'A permission is missing'),
  'access.own_approval': kind('permission', 403, 'You cannot approve your own change request'),
  'sign_in.not_found': kind('not_found', 404, 'No such session or token'),
  'component.not_found': kind('not_found', 404, 'No such component'),
  'user.not_found': kind('not_found', 404, 'No such user'),
  'invitation.not_found': kind('not_found', 404, 'No such invitation'),
  'group.not_found': kind('not_found', 404, 'No such group'),
  'component.invalid': kind('validation', 422, 'A component is not valid'),
  'app.not_found': kind('not_found', 404, 'No such app'),
  'object.not_found': kind('not_found', 404, 'No such object'),
  'operation.not_found': kind('not_found', 404, 'No such operation'),
  'record.not_found': kind('not_found', 404, 'No such record'),
  'record.erased': kind('not_found', 410, 'The values were erased'),
  'record.invalid': kind('validation', 422, 'The record is not valid'),
  'record.batch_undone': kind('conflict', 409, 'Another item of the request failed'),
  'record.automation_gone': kind('conflict', 409, 'The automation can no longer run'),
  'record.referenced': kind('conflict', 409, 'Other records refer to the record'),
  'record.archived': kind('conflict', 409, 'An archived value was computed from the field'),
  'limit.save_depth': kind('limit', 422, 'The save changes too many levels of records'),
  'limit.event_too_large': kind('limit', 422, 'An event is larger than its channel allows'),
  'limit.save_deadline': kind('limit', 503, 'The save took too long'),
  'limit.save_records': kind('limit', 422, 'The save changes too many records'),
  'generation.not_found': kind('not_found', 404, 'No such generation'),
  'route.not_found': kind('not_found', 404, 'No such route'),
  'draft.not_found': kind('not_found', 404, 'No such draft'),
  'change_request.not_found': kind('not_found', 404, 'No such change request'),
  'record.job_not_found': kind('not_found', 404, 'No such job'),
  'record.archive_not_found': kind('not_found', 404, 'No such archive'),
  'record.filling': kind('conflict', 409, 'The field is being computed', true),
  'binding.not_found': kind('not_found', 404, 'No such stored result'),
  'config.unknown_set': kind('not_found', 404, 'No such configuration set or flag'),
  'config.unknown_key': kind('not_found', 404, 'The set has no such key'),
  'config.not_effective': kind('validation', 422, 'No entry is effective on that date'),
  'config.as_of_required': kind('validation', 400, 'An as-of date is required'),
  'config.no_entry': kind('not_found', 404, 'The set has no entry'),
  'config.bad_key': kind('validation', 400, 'The business key does not have the declared type'),
  'expression.invalid': kind('validation', 422, 'The expression does not compile'),
  'expression.evaluation': kind('validation', 422, 'The expression could not be evaluated'),
  'expression.too_costly': kind('limit', 422, 'The expression is too expensive to evaluate'),
  'binding.differs': kind('conflict', 409, 'The binding cannot be replayed here'),
  'binding.invalid': kind('validation', 400, 'The binding is malformed'),
  'evidence.invalid': kind('validation', 422, 'The evidence bundle failed verification'),
  'deploy.invalid': kind('deploy', 422, 'The change list has errors'),
  'deploy.field_in_use': kind('deploy', 409, 'A field is in use by a registered client'),
  'deploy.secret_absent': kind('deploy', 422, 'A credential has no secret'),
  'deploy.still_referenced': kind('deploy', 409, 'The component is still referenced'),
  'deploy.slice_budget': kind('limit', 422, 'The generation-slice budget is exceeded'),
  'deploy.approval_required': kind('deploy', 409, 'The org applies only approved change requests'),
  'deploy.history_bound': kind('deploy', 409, 'A stored binding refers to this generation'),
  'conflict.stale_plan': kind('conflict', 409, 'The plan is stale'),
  'conflict.stale_generation': kind('conflict', 409, 'The active generation has changed'),
  'conflict.stale_version': kind('conflict', 412, 'The record version is stale'),
  'conflict.idempotency_key': kind('conflict', 409, 'The idempotency key was used for a different request'),
  'conflict.stale_principal': kind('conflict', 409, 'The user or group was changed'),
  'conflict.stale_draft': kind('conflict', 409, 'The draft has changed'),
  'conflict.request_state': kind('conflict', 409, 'The state of the change request does not allow this'),
  'conflict.lineage_changed': kind('conflict', 409, 'The remote is now a different org'),
  'conflict.exists': kind('conflict', 409, 'Already exists'),
  'org.not_found': kind('not_found', 404, 'This folder does not contain an org'),
  'org.exists': kind('conflict', 409, 'This folder already contains an org'),
  'org.busy': kind('conflict', 409, 'Another process is writing to this org', true),
  'org.damaged': kind('internal', 500, 'The org’s database file cannot be read'),
  'org.newer_schema': kind('internal', 500, 'The org was written by a newer version of Almanac'),
  'storage.full': kind('limit', 507, 'The disk is full', true),
  'storage.read_only': kind('internal', 503, 'The org’s files cannot be written', true),
  'storage.damaged': kind('internal', 500, 'Stored data is damaged'),
  'storage.behind': kind('internal', 503, 'The server has not reached this position', true),
  'storage.failed': kind('internal', 503, 'A disk operation failed', true),
  'server.not_ready': kind('internal', 503, 'The server is not ready', true),
  'remote.not_found': kind('not_found', 404, 'No such remote'),
  'remote.no_such_job': kind('not_found', 404, 'The remote has no such job'),
  'remote.busy': kind('conflict', 409, 'The remote has an unfinished job', true),
  'remote.job_state': kind('conflict', 409, 'The state of the job does not allow this'),
  'remote.interrupted': kind('integration', 502, 'A job for the remote was interrupted', true),
  'remote.not_confirmed': kind('validation', 422, 'The typed name is not the name of the org'),
  'secret.not_found': kind('not_found', 404, 'No such client secret'),
  'secret.absent': kind('conflict', 409, 'The secret is not stored here'),
  'server.cannot_start': kind('internal', 500, 'The server cannot start'),
  'secret.custody': kind('internal', 503, 'Secrets cannot be stored here'),
  'integration.unavailable': kind('integration', 501, 'Outgoing calls are not available'),
  'integration.unreachable': kind('integration', 502, 'The remote cannot be reached', true),
  'integration.address_refused': kind('integration', 502, 'The address is not allowed here'),
  'integration.tls': kind('integration', 502, 'The remote is not trusted'),
  'integration.timeout': kind('integration', 504, 'The remote did not respond in time', true),
  'integration.connection_lost': kind('integration', 502, 'The connection was lost', true),
  'integration.redirect_refused': kind('integration', 502, 'The remote redirects to a different URL'),
  'integration.unreadable': kind('integration', 502, 'The remote’s response cannot be read'),
  'integration.too_large': kind('integration', 502, 'The remote’s response is too large'),
  'integration.other_version': kind('integration', 502, 'The remote uses a different protocol version'),
  'integration.sign_in': kind('integration', 502, 'The remote does not accept the credentials'),
  'integration.forbidden': kind('integration', 502, 'The remote does not allow this'),
  'integration.refused': kind('integration', 502, 'The remote rejected the request'),
  'integration.outcome_unknown': kind(
    'integration',
    502,
    'It is not known whether the remote applied the change list',
    true,
  ),
  'description.unreadable': kind('validation', 422, 'The description cannot be read'),
  'description.unsupported': kind('validation', 422, 'The format of the description is not supported'),
  'description.invalid': kind('validation', 422, 'The description is not valid'),
  'import.invalid': kind('validation', 422, 'The file cannot be imported'),
  'files.invalid': kind('validation', 422, 'A file or directory cannot be read'),
  'files.unwritable': kind('validation', 422, 'A file cannot be written'),
  'internal.error': kind('internal', 500, 'Internal error'),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorCatalogue

/** Codes whose responses can name the seconds to wait in Retry-After. */
export const retryAfterCodes: ReadonlySet<ErrorCode> = new Set([
  'auth.throttled',
  'integration.refused',
  'limit.busy',
  'limit.concurrency',
  'limit.rate',
  'org.busy',
  'server.not_ready',
  'storage.behind',
])
