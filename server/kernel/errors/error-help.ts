// What each error code means and how to continue, for docs/reference/errors.md. A code without a text does not compile.
import type { ErrorCode } from './catalogue.ts'

export const errorHelp = {
  // The request
  'request.malformed':
    'The detail names the part that cannot be read, or the arguments that contradict each other. Correct it and send the request again.',
  'request.invalid':
    'The request can be read, but a value in it is not allowed. The detail names the value and what is allowed.',
  'request.too_large': 'The body is larger than this endpoint accepts. Send it in several requests.',
  'limit.too_many_elements':
    'The body has more JSON values than this endpoint accepts. Send it in several requests.',
  'limit.slow_request':
    'The headers or the body arrived too slowly. Compress the body, or use a faster connection.',
  'limit.deadline':
    'The work took longer than its route allows and was stopped. Nothing was changed. Send fewer items per request.',
  'limit.query_deadline':
    'The query looked at too many records and was stopped. Compare an indexed field: a reference, a unique field, the name field, or a field that a list view filters or orders by.',
  'limit.list_incomplete':
    'The source of a virtual object took longer than the deadline of its lists, or returned too little in too many pages. The rows that arrived are shown. Continue with the cursor, or narrow the filter.',
  'limit.memory': 'The work needed more memory than one request is allowed. Send fewer items per request.',
  'limit.rate':
    'Wait for the seconds in Retry-After. RateLimit shows how many requests are left; the limit is in the integration client.',
  'limit.concurrency': 'Wait for a response before the next request. The limit is in the integration client.',
  'limit.callout_budget':
    'The calls of this named credential have used its requests per minute, or are too many at once. Try again after Retry-After, or raise `budget` of the named credential.',
  'limit.open_jobs':
    'The user has as many bulk jobs that have not ended as one user can have. Close or abort those that are open, or wait until one ends.',
  'limit.busy':
    'The caller already has too many waiting requests or open event streams. Wait for them, or close some of them.',
  'request.media_type':
    'The body is not JSON in UTF-8, or its compression is not supported. Send it as UTF-8, uncompressed or with gzip, deflate or br.',
  'request.precondition_required':
    'The request must name the version that it changes: send the ETag of the record as If-Match.',
  'protocol.method_not_allowed':
    'The endpoint does not support this method. The Allow header lists the methods that it supports.',
  'protocol.retired_version':
    'The protocol version in the URL is no longer served. See the migration guide named in the detail.',
  'route.not_found': 'No route matches this URL. Check it against the OpenAPI document.',

  // Identity and permissions
  'auth.required': 'The request has no session and no bearer token. Sign in, or send a token.',
  'auth.invalid':
    'The password, token, invitation or link is wrong, expired or used. Sign in again, or request a new one.',
  'auth.throttled': 'There were too many failed attempts. Wait for the number of seconds in Retry-After.',
  'auth.forbidden_origin':
    'The request names a host or an origin that does not belong to the server. Use the URL of the server, or start it with --public-host.',
  'access.denied':
    'A permission or a grant is missing. The details list each one. Ask a user with access.manage for it.',
  'access.own_approval':
    'The author, anyone who drafted part of the request, and the operator who submitted it cannot approve it. Ask another user.',
  'sign_in.not_found': 'The session or token has ended or expired. List the current ones.',
  'user.not_found': 'The org has no user with this key. Check the key, or add the user.',
  'group.not_found': 'The org has no group with this key. Check the key, or add the group.',
  'invitation.not_found': 'The invitation was used or withdrawn, or has expired. Create a new one.',
  'secret.not_found': 'The secret was revoked or replaced, or has expired. List the secrets of the client.',

  // Components and generations
  'component.not_found':
    'The component does not exist, or the user cannot see it. The detail suggests a similar key if there is one.',
  'component.invalid': 'The details list its findings. Fix them and send the component again.',
  'app.not_found': 'Check the key of the app. An app of which you can see nothing does not exist for you.',
  'object.not_found':
    'The object does not exist, or you cannot see it. Check its name; a former name works until it is retired.',
  'operation.not_found':
    'No invocable automation has this key, or none of your permission sets is in its grantedTo.',
  'record.not_found': 'The record does not exist, or you cannot see it.',
  'record.erased':
    'The sensitive values of the record were erased on request. They cannot be restored, and what was computed from them cannot be replayed. A request that was already processed is not processed again: read the record instead.',
  'record.invalid':
    'The record was not saved. `details` has a problem for each field: its name, a code and a message. Correct the values and save again.',
  'record.job_not_found': 'The ID belongs to no job over records.',
  'channel.not_found':
    'No channel has this name, or none of your permission sets gives access to it. `GET /events/v3/channels` lists those that you can use.',
  'event.invalid':
    'The payload does not fit the schema of the channel. `details` names each field and what is wrong with it. None of the events was published.',
  'event.cursor':
    'Each cursor belongs to the log of one channel of one org. Start again from `earliest` or `latest`, or use a cursor of this channel.',
  'subscription.not_found': 'You have no subscription with this name.',
  'subscription.channel':
    'A subscription belongs to one channel. Delete it and create it again, or use a different name.',
  'limit.subscriptions': 'A user can have 1,000 subscriptions. Delete those that are not used any more.',
  'ingest.not_found': 'The ID belongs to no bulk job, or another user has created it.',
  'ingest.state':
    'Parts can be sent until the job is closed, and unprocessed rows can be read once it has ended. `GET /data/v3/jobs/ingest/{id}` shows its state.',
  'ingest.columns':
    '`details` names each column and what is wrong with it. Send the part with the header again, or create the job with other columns. The job stays open.',
  'ingest.row':
    'The row cannot be read as CSV or JSON. If the end of a row is not known, the job ends there: `GET /data/v3/jobs/ingest/{id}/rows?of=unprocessed` returns the row and those after it.',
  'ingest.digest':
    'The body does not have the digest of its header. Nothing of it was kept. Send the part again.',
  'ingest.parts':
    'The parts are numbered from 1 without a gap, and a close names how many there are. The detail names those that are missing or too many.',
  'record.archive_not_found': 'The ID belongs to no archive, or another user has created it.',
  'record.filling':
    'The formula or roll-up was added to an object with records, and a job computes it for them. `GET /setup/v3/jobs` shows its progress. Query again when it has finished.',
  'record.batch_undone':
    'The item itself can be correct. Correct the item that failed, or send the request without "allOrNone".',
  'record.automation_gone':
    'An automation at post_commit runs over the record as its save left it, in the generation of the save. That generation was purged, or the values were erased, before it ran.',
  'record.referenced':
    'The record was not deleted, because other records refer to it. Change or delete those first; `details` names the ones that you can see.',
  'record.archived':
    'The evidence of a stored value is archived, so what it was computed from stays as it is. `details` names the field, the archived value and the fields with its as-of date. Recompute the record, or change the as-of date: then the value is computed again, and the evidence remains in its archive.',
  'limit.save_depth':
    'A save changes the parents of a record through roll-ups, and their parents in turn. The detail names the chain. Shorten it.',
  'limit.event_too_large':
    'An event of the save is larger than `maxBytes` of its channel. The detail names the largest field. Shorten it, or raise the limit.',
  'limit.save_deadline':
    'A save, or a batch of saves, was undone because it took more than 5 seconds. Save fewer records at once.',
  'limit.save_records': 'Everything that one save changes is committed together. Save fewer records at once.',
  'generation.not_found': 'The generation does not exist or was purged. List the generations and choose one.',
  'draft.not_found': 'The draft was applied or discarded, or the user cannot see it. List the drafts.',
  'change_request.not_found':
    'The change request does not exist, or the user cannot see it. List the change requests.',

  // Resolving and evaluating
  'config.unknown_set': 'The generation has no set or flag with this key. Check the key and the generation.',
  'config.unknown_key': 'The set has no entry with this business key. Check the key, or add an entry.',
  'config.not_effective':
    'The key has entries, but none on this date. The details contain its first date. Use a date from then on, or add an entry.',
  'config.as_of_required':
    'The set is effective-dated, and its as-of date has no default. Pass a date as YYYY-MM-DD.',
  'config.no_entry': 'No entry matches the request, and the set has no org entry. Add one.',
  'config.bad_key':
    'The key is missing, is not allowed for a singleton, or does not have the declared type. Send a key of that type, or none.',
  'expression.invalid': 'The details list each problem with its position. Correct the expression.',
  'expression.evaluation':
    'The expression compiles but fails for these inputs, such as a division by zero. Handle this case in the expression.',
  'expression.too_costly':
    'The evaluation needs more steps or text than allowed. Simplify the expression, or split it into several.',
  'binding.not_found': 'No stored result has this id, or the user cannot see it. List the results.',
  'binding.differs':
    'This org has no generation with the content that the binding names. The detail names what differs. Replay in the org that stored the result.',
  'binding.invalid':
    'The binding does not have the documented format. The detail names the members to correct.',
  'evidence.invalid':
    'The bundle was altered, is incomplete, or was signed with a different key. The details list each failed check.',

  // Deploying
  'deploy.invalid':
    'The change list has findings with severity error. The details contain all of them. Fix them.',
  'deploy.field_in_use':
    'A registered client has used a field, or a name of it, within its deprecation window, and the change list removes it. The findings name the clients and their last uses. Keep the field, or confirm with "breaking": true on the object.',
  'deploy.secret_absent':
    'A credential that the change list needs has no secret in this org. Set the secret, then apply again.',
  'deploy.still_referenced':
    'A removed component is still in use. The details name each reference. Remove the references in the same change list.',
  'deploy.slice_budget':
    'The slices of the generation would be larger than the budget of the org. Remove entries, or raise the budget with "almanac budget".',
  'deploy.approval_required':
    'The org requires approvals. Submit the change list as a change request and have it approved.',
  'deploy.history_bound':
    'A stored result is bound to a generation that would be purged. Rebind or archive the result, or keep the generation.',
  'conflict.stale_plan':
    'The change list or the active generation has changed since the review. Create a new plan and review it.',
  'conflict.stale_generation':
    'Others changed the same components since the base of the change list. The details contain the three versions of each. Resolve each one, and apply on top of the active generation.',
  'conflict.stale_version': 'The record has changed since it was read. Read it again and repeat the change.',
  'conflict.idempotency_key':
    'A key identifies one request for 24 hours, so that it can be repeated. Use a new key for a different request.',
  'conflict.operation_running':
    'An earlier request with the same Idempotency-Key is still running the operation, or has ended in the middle of a callout. Repeat the request after a minute: it goes on where the earlier one has ended.',
  'conflict.stale_principal':
    'The user or group changed since it was read. Read it again and repeat the change.',
  'conflict.stale_draft': 'The draft changed since it was read. Load it again and repeat the edit.',
  'conflict.request_state':
    'The state of the change request does not allow the action. The documentation lists the actions that each state allows.',
  'conflict.lineage_changed':
    'A different org is at the URL of the remote. Nothing was sent. Check the URL, and pin the remote again if the change is intended.',
  'conflict.source':
    'The source of the virtual object refuses the change because of the state of its data. The detail contains its reason. Correct the values, or change the data that it names.',
  'conflict.exists': 'Choose a different key, or change the existing item.',

  // The org and its storage
  'org.not_found':
    'The folder does not contain an org. Check --org or ALMANAC_ORG, or create an org with "init".',
  'org.exists': 'The folder already contains an org. Choose an empty folder.',
  'org.busy': 'Try again when the other process is done.',
  'org.damaged':
    'The org’s database file cannot be read. Nothing was changed. Restore the org folder from a backup.',
  'org.newer_schema':
    'The org was migrated by a newer Almanac. Use that version, or restore the backup from before the upgrade.',
  'storage.full': 'Nothing was written. Free some space and try again.',
  'storage.read_only':
    'The files of the org cannot be written. Check the disk, and that the folder belongs to the user that runs Almanac.',
  'storage.damaged':
    'Stored data is damaged or was changed by another program. Run "almanac check" and restore the folder from a backup.',
  'storage.behind':
    'The position in X-Almanac-Position is that of a write which this server has not seen yet, such as one in another process. Send the request again.',
  'storage.failed': 'The disk reported an error. Nothing was written. Check the disk and try again.',
  'server.not_ready':
    'The server cannot handle requests at the moment. The detail and the log name the cause.',
  'server.cannot_start':
    'The server cannot start with these options or on this port. The detail names what to change.',

  // Remotes
  'remote.not_found': 'The org has no remote with this key. List the remotes.',
  'remote.no_such_job': 'The remote has no job with this id. List its jobs.',
  'remote.busy': 'The remote has an unfinished job. Wait for it, resume it or cancel it.',
  'remote.job_state':
    'The job is finished, or the remote was never compared. The detail names the next step.',
  'remote.interrupted':
    'The server stopped while the job was running. Resume the job; nothing is done twice.',
  'remote.not_confirmed':
    'The remote is a production org, and its name was missing or wrong. Pass the name of the org with --confirm.',
  'secret.absent': 'The secret of the remote is not stored here. Enter it again.',
  'outbox.not_found': 'Check the id. A delivered call is removed from the outbox.',
  'conflict.outbox_state': 'Load the call again: it is being sent, or another user has dealt with it.',
  'outbox.not_repeatable':
    'Check at the target whether the call was carried out. Then requeue it with acceptRepeat, or resolve it.',
  'webhook.headers':
    'Send the headers that the endpoint names: the signature, and the time as an integer, in seconds since 1970. The execution trace has the step that failed.',
  'webhook.refused':
    'The signature does not match a secret of the endpoint, or the time is outside of its tolerance. The execution trace has the step that failed; the response never has. Check the secret on both sides, and the clock of the sender.',
  'webhook.secret_absent':
    'The secret of the endpoint is absent in this org, or is not written in its encoding. A user with integration.manage_credentials can write it. The sender can repeat the delivery.',
  'webhook.body':
    'The delivery was verified and stored, but its body is not what the endpoint expects. The detail names the place. Correct the mapping of the endpoint and requeue the delivery, or discard it.',
  'webhook.removed':
    'The endpoint was removed before the delivery was dispatched. Restore it and requeue the delivery, or discard it.',
  'webhook.run_as':
    'Deliveries wait until the user is active again, and go on then. Or let the endpoint run as another user.',
  'webhook.interrupted':
    'The process ended several times in the middle of the dispatch. Nothing of it was saved. Look for the cause in the log, then requeue the delivery.',
  'delivery.not_found': 'Check the id. A delivery is removed 7 days after it was dispatched or discarded.',
  'conflict.delivery_state':
    'Load the delivery again: it is being dispatched, or another user has dealt with it.',
  'delivery.not_repeatable':
    'Check at the target of the callout whether it was carried out. Then requeue the delivery with acceptRepeat, or discard it.',
  'limit.webhook_rate': 'Wait for the seconds in Retry-After, then send the delivery again.',
  'secret.not_staged': 'Write the next secret of the principal first, then promote it.',
  'vault.key':
    'The secrets of this org are encrypted, and this process does not have the key that opens them. Nothing was read or written. The detail names the key; bring it back, or start Almanac where it is.',
  'vault.damaged':
    'The file of the vault was altered, or belongs to a different org. Restore it from a backup, or write the secret again.',
  'secret.custody':
    'The keychain or the folder for secrets cannot be used. Unlock or repair it, then try again.',
  'integration.unreachable':
    'Could not connect to the remote. Check its URL, or that of the named credential, and check that it is running.',
  'integration.address_refused':
    'The server does not connect to addresses of its own network unless they are allowed. Start it with --allow-target.',
  'integration.tls':
    'The certificate of the remote is not valid for its URL, or the remote does not accept our client certificate. Nothing was sent. Fix the certificate, or store its authority with the credential.',
  'integration.timeout': 'The remote did not respond in time. Check its state and try again.',
  'integration.connection_lost': 'The connection was lost before the response was complete. Try again.',
  'integration.redirect_refused':
    'The remote redirects to a different URL, which is not followed. Change the URL of the remote or of the named credential.',
  'integration.unreadable':
    'The response is not HTTP, its compression is damaged, or an Almanac server would not send it. Check the URL.',
  'integration.too_large':
    'The remote’s response is larger than Almanac accepts, or contains more values. Check the URL, or ask the remote for fewer values at once.',
  'integration.other_version': 'The remote uses a different version of the protocol. Update both sides.',
  'integration.sign_in':
    'The remote does not accept the credentials. Enter the secret of the remote or of the external credential again.',
  'integration.forbidden':
    'The user or client does not have the required permissions on the remote. The detail contains the remote’s error. Ask an administrator of the remote.',
  'integration.refused': 'The remote rejected the request. The detail and the details contain its findings.',
  'integration.remote_failed':
    'The remote returned a status of 500 or above, also after the attempts that the named credential allows. Check its state and try again.',
  'integration.throttled':
    'The remote returned 429. Try again after Retry-After, or lower `requestsPerMinute` of the named credential.',
  'integration.breaker_open':
    'Recent calls of this named credential failed, or an administrator opened its circuit breaker, so nothing was sent. The detail shows when the next call can be tried.',
  'integration.call_invalid':
    'The detail names the part of the call that cannot be sent: its path, a parameter, a header or its body. Nothing was sent.',
  'integration.inside_transaction':
    'A call to another system would hold the transaction open, so it is never made inside one. This is a defect of Almanac. Nothing was sent.',
  'integration.outcome_unknown':
    'The connection was lost while the other side was carrying the request out. Look there before it is sent again. A job for a remote is resumed: it looks up the result first.',
  'integration.consent_required':
    'The credential acts for each user, and this user has not given consent, the consent was revoked, or nobody has written secrets for this user. `details` names the credential and the principal. The user gives consent in the studio, under Connected accounts, or an administrator writes the secrets; then repeat the call.',
  'integration.consent_failed':
    'The user refused, the page was left open for too long, or the response did not belong to the request. Start the consent again.',
  'integration.secret_absent':
    'A slot of the credential has no value in this org. The detail names it. Write the secret.',
  'integration.secret_invalid':
    'The value of a slot cannot be used: it has characters that cannot be sent, or is not a key or certificate. The detail names the slot and the cause. Write the secret again.',
  'integration.token_refused':
    'The token endpoint of the credential rejected the request, or its response cannot be used. The detail names the cause: check the secrets, the scopes and the token URL.',
  'integration.token_unavailable':
    'The token endpoint cannot be reached or is overloaded. Nothing was lost. The call is repeated after the seconds in Retry-After.',

  // Descriptions of external services
  'description.unreadable':
    'The text is not JSON or YAML, or is too large or nested too deeply. The detail names the line or the place. Correct it there.',
  'description.unsupported':
    'The detail names the format of the description. Convert it to OpenAPI 3.0 or 3.1, and import it again.',
  'description.invalid':
    'The detail names the place as a JSON pointer. Correct it there, or choose operations that do not use it.',
  'integration.foreign_link':
    'A source can send the next page only from its own URL, because its credentials go with the request. Correct the service, or the URL of the named credential.',
  'integration.page_unstable':
    'Rows were added, removed or moved while the pages of the source were read, so some can be missing. Read the list again from the start.',
  'integration.source_ignored':
    'The source returned rows that the query excludes, or in a different order. Rows that do not match are left out. Set the pushdown of the external data source to what the service can do.',
  'integration.wrong_type':
    'Some values do not have the type of their field and are shown as absent. The details name the fields. Correct the type, precision, scale or value set of each field.',
  'integration.no_version':
    'A row is changed only with its version, the ETag of the source. Enable ETags in the service, or set "writable" of the object to false.',
  'virtual.not_writable':
    'The virtual object is not writable, or the source sets the field. Set "writable" of the object if the service allows changes and has ETags, and leave out fields that are read-only.',
  'virtual.not_stored':
    'The rows of a virtual object are in a remote source, so they have no history, no stored values and no jobs, and are not part of a save, a batch or an automation. Read them with a query, and change them one by one.',
  'virtual.metadata':
    'The document is not OData 4 metadata, or has a part that is not accepted, such as a DTD. The detail names the part. Load the metadata of the service again.',

  // Files
  'import.invalid':
    'The file or its map cannot be used. The details name each row and column. Correct the map or the file.',
  'files.invalid':
    'The detail names the file and the cause: it does not exist, is not readable or has the wrong content. Correct the path or the file.',
  'files.unwritable': 'The detail names the file. Check the folder, its permissions and the disk.',
  'internal.error':
    'This is a bug in Almanac. The log has the details under the correlation id. Please report it.',
} as const satisfies Record<ErrorCode, string>
