//! Serves `live-state.broadcast`.

service::main!(live_state::BroadcastLiveState);
