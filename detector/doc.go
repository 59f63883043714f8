// Package detector notices that a process of a job has failed, and has the
// others agree on who puts things right: a ring of heartbeats and a two-phase
// election, as one state machine without I/O and without a clock. A driver
// feeds a [Node] with time and messages and carries out what it asks for.
//
// # The problem
//
// N processes compute together. Each may die at any moment, hang, or be stopped
// and continued an hour later without knowing it. Messages may be lost, late,
// doubled, and overtake each other. After a failure exactly one of the survivors
// must close the incarnation of the job (its epoch) and begin the next, and
// whoever was left behind must find out that it was. No bound on message delay
// holds at all times, so a suspicion can be wrong: the protocol must stay safe under any
// suspicions, and needs a calm network only to make progress (Fischer, Lynch and
// Paterson, 1985; Chandra and Toueg, 1996: a detector that is eventually
// accurate is enough).
//
// # The ring
//
// The members, in ascending order, form a ring. Each sends a heartbeat to its
// successor every eta and so is watched by it: every process watches its
// predecessor, process 0 the highest. A predecessor that was silent for delta is
// suspected. This costs N messages every eta, however large the job.
//
// Most deaths are seen earlier: the launcher sees the exit status ([Node.Died]), a
// broken connection tells the peers ([Node.PeerClosed]). Heartbeats are for
// processes that hang and hosts that vanish. A process that ends normally says
// so first ([Node.Leave], which peers take as [Node.Finished]); it leaves the ring
// and is nobody's failure.
//
// # Timing rules
//
//   - delta >= 3 eta, so that two heartbeats in a row may be lost.
//   - Time counts only while the node runs. A node that got no input for more than
//     eta was itself not scheduled (stopped, swapped out, starved); the messages
//     that prove the others alive may be waiting in its queue. It lets all its
//     deadlines begin anew instead of suspecting anyone. So the driver calls Tick
//     at least every eta/2 or the node never suspects by silence.
//   - A failure seen by its ring successor is acted on at once; another process
//     that sees it gives the successor delta, and eta more for each living
//     process between. So usually one process proposes itself.
//
// # The election
//
// A proposal is a ballot (round, candidate) for the epoch after the one that
// both sides know as committed. Ballots are ordered: the higher round is better, and
// within a round the lower candidate.
//
//	phase 1   The candidate sends propose to every member that is not lost, again
//	          every eta. Who gets it acknowledges it if it is the best seen
//	          so far, and then follows that candidate; otherwise it answers with the better one,
//	          and the candidate yields to that. The phase ends when everyone has
//	          acknowledged or is lost; who is silent for delta is lost.
//	claim     The candidate asks its driver for the lease: the exclusive claim
//	          of the next epoch in the job's store. The answer is the epoch's number.
//	phase 2   The candidate is the coordinator of that epoch. It commits the
//	          new membership (those that acknowledged) and sends commit to them, again every eta
//	          until each has confirmed it.
//
// A follower waits for its coordinator as for a predecessor: each repetition of
// propose is a heartbeat, and after delta of silence, or when the connection
// breaks, the coordinator is lost too and the next candidate proposes a higher round. So
// a coordinator may die before, between and after any of its messages: either
// its commit reached somebody, who passes it on to everyone that still speaks of the
// old epoch, or it reached nobody and a later epoch takes its place.
//
// # Majority and lease
//
// A candidate with acknowledgements of more than half of the last committed membership (those that
// finished do not count) claims at once. Below a majority others may be alive beyond a broken
// network, and a majority there should come first: the candidate waits until delta has passed since
// it proposed, except when everyone else is known to have died. It then claims, but on condition
// that nobody has claimed an epoch after its own. If that is refused the node stops ([Stop]) rather
// than split the job. With a majority it tries again a few times before it does.
//
// Why does a majority need the claim too? Because two quorums must intersect. If
// {0,1,2} of 4 could commit epoch 8 by their majority alone and {3} by the lease
// alone, epoch 8 could have two coordinators. With the claim in both ways the
// store, which is asked anyway before a restart, is in every quorum.
//
// # Invariants
//
//	I1  An epoch has at most one coordinator. (Its number comes from an exclusive
//	    claim, made once, and used by the claimant only.)
//	I2  All who commit an epoch commit the same membership. (Only its coordinator
//	    makes that list, once.)
//	I3  The epoch of a node only grows.
//	I4  A coordinator is a member of its epoch; nobody is both member and dead.
//	I5  A granted claim greater than the node's epoch is always committed. (A claimed but
//	    unused epoch would void the checkpoints of the one before.)
//	I6  A node that is no member of a newer epoch stops when it hears of it.
//	Liveness: once messages arrive and nobody is paused, all nodes that are alive and not
//	    stopped commit, within bounded time, a common epoch whose members are exactly they.
//	Accuracy: without crashes, lost messages, and pauses, nobody is ever suspected.
//
// # Messages
//
//	kind       from        to           fields             meaning
//	heartbeat  any         successor                       I am alive, at this epoch
//	propose    candidate   members      round, by          follow me to the next epoch
//	ack        member      candidate    round, by          I do
//	nack       member      candidate    round, by          I follow this better ballot
//	commit     any         member       epoch, by,         this is the newest epoch, its
//	                                    members, dead      coordinator and membership
//	confirm    member      coordinator  epoch              I committed it
//	bye        any         all                             I end normally; do not miss me
//
// Every message bears the sender's committed epoch. Who gets a message of an
// older epoch answers with the commit of its own, which is how a zombie learns that
// its epoch is closed; who gets one of a newer epoch answers with a heartbeat, to
// be told. Besides, a coordinator tells former members that were only silent about the
// new epoch, again every delta.
//
// # Driving a node
//
// The driver calls Tick, Step and the other inputs from one goroutine, in any order, each with the
// present time (any monotonic clock), and after each takes the output with [Node.Take]. It sends
// the messages first (a lost one is no matter) and then handles the events: on [NeedLease] it
// claims an epoch in the store and calls [Node.Lease] with the number, on [Stop] it ends the
// process.
//
// A process that leaves for any reason of its own (its program has ended, it checkpointed and
// stops, it stands down for the next epoch) calls Leave and sends what that gives before it closes
// its connections; otherwise its peers must take the closed connections for its death.
package detector
