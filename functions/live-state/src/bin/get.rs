//! Serves `live-state.get`.

service::main!(live_state::GetLiveState);
